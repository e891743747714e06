" As any XML.
runtime! ftplugin/xml.vim
