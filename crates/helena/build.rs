//! Generates the parser from `grammars/helena/helena.lalrpop`.

fn main() {
    println!("cargo:rerun-if-changed=../../grammars/helena/helena.lalrpop");
    lalrpop::Configuration::new()
        .set_in_dir("../../grammars/helena")
        .set_out_dir(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"))
        .process()
        .expect("the grammar is well-formed");
}
