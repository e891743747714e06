" Models that Neovim does not know by itself.
autocmd BufNewFile,BufRead *.pml,*.prm,*.promela,*.spin setfiletype promela
