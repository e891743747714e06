" Models that Neovim does not know by itself.
autocmd BufNewFile,BufRead *.pml,*.prm,*.promela,*.spin setfiletype promela
autocmd BufNewFile,BufRead *.dve setfiletype dve
autocmd BufNewFile,BufRead *.lna setfiletype helena
autocmd BufNewFile,BufRead *.pnml set filetype=pnml
" The questions of the Model Checking Contest, beside a net; otherwise they would be any XML.
autocmd BufNewFile,BufRead {Reachability,LTL}{Cardinality,Fireability}.xml set filetype=pnml
