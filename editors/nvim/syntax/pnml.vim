" As any XML.
runtime! syntax/xml.vim
