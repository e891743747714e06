" DVE, the language of DiVinE. Names get their colours from the server, where the editor shows semantic tokens.
if exists('b:current_syntax')
  finish
endif

syntax keyword dveType byte int channel
syntax keyword dveModifier const
syntax keyword dveStructure process state init commit accept trans system async property
syntax keyword dveStatement guard sync effect
syntax keyword dveAssert assert
syntax keyword dveOperator and or not imply
syntax keyword dveBoolean true false
syntax match dveNumber /\<\d\+\>/
syntax match dveName /\%(\<process\s\+\)\@<=\h\w*/
syntax match dveArrow /->/
syntax keyword dveTodo contained TODO FIXME XXX
syntax match dveComment /\/\/.*$/ contains=dveTodo,@Spell
syntax region dveComment start=/\/\*/ end=/\*\// contains=dveTodo,@Spell

highlight default link dveType Type
highlight default link dveModifier StorageClass
highlight default link dveStructure Structure
highlight default link dveStatement Statement
highlight default link dveAssert Exception
highlight default link dveOperator Operator
highlight default link dveBoolean Boolean
highlight default link dveNumber Number
highlight default link dveName Function
highlight default link dveArrow Operator
highlight default link dveTodo Todo
highlight default link dveComment Comment

let b:current_syntax = 'dve'
