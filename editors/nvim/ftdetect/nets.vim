" Petri nets.
autocmd BufNewFile,BufRead *.lna setfiletype helena
autocmd BufNewFile,BufRead *.pnml set filetype=pnml
