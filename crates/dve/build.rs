//! Generates the parser from `grammars/dve/dve.lalrpop`.

fn main() {
    println!("cargo:rerun-if-changed=../../grammars/dve/dve.lalrpop");
    lalrpop::Configuration::new()
        .set_in_dir("../../grammars/dve")
        .set_out_dir(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"))
        .process()
        .expect("the grammar is well-formed");
}
