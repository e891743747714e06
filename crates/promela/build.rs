//! Generates the parser from `grammars/promela/promela.lalrpop`.

fn main() {
    println!("cargo:rerun-if-changed=../../grammars/promela/promela.lalrpop");
    lalrpop::Configuration::new()
        .set_in_dir("../../grammars/promela")
        .set_out_dir(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"))
        .process()
        .expect("the grammar is well-formed");
}
