" Helena's high-level nets and their properties. Names get their colours from the server, where the editor shows
" semantic tokens.
if exists('b:current_syntax')
  finish
endif

syntax keyword helenaStructure type subtype constant function import place transition proposition
syntax keyword helenaType bool int nat short ushort enum struct vector list set range mod
syntax keyword helenaModifier dom init capacity guard priority safe description of with
syntax keyword helenaArc in out inhibit let pick
syntax keyword helenaStatement if else case default for while return
syntax keyword helenaAssert assert
syntax keyword helenaFunction card mult exists forall min max sum product pred succ
syntax keyword helenaOperator and or not
syntax keyword helenaConstant true false empty epsilon
syntax match helenaProperty /\<\%(state\|ltl\)\s\+property\>/
syntax match helenaClause /\<\%(reject\|accept\)\>\ze\s\+\h/
syntax match helenaConstant /\%(\<\%(reject\|accept\)\s\+\)\@<=deadlock\>/
syntax match helenaTemporal /\[\]\|<>\|\<until\>/
syntax match helenaName /\%(\<\%(place\|transition\|function\|proposition\|property\)\s\+\)\@<=\h\w*/
syntax match helenaTuple /<(\|)>/
syntax match helenaNumber /\<\d\+\>/
syntax region helenaString start=/"/ end=/"/
syntax match helenaDirective /^\s*#.*$/
syntax keyword helenaTodo contained TODO FIXME XXX
syntax match helenaComment /\/\/.*$/ contains=helenaTodo,@Spell
syntax region helenaComment start=/\/\*/ end=/\*\// contains=helenaTodo,@Spell

highlight default link helenaStructure Structure
highlight default link helenaType Type
highlight default link helenaModifier StorageClass
highlight default link helenaArc Statement
highlight default link helenaStatement Statement
highlight default link helenaAssert Exception
highlight default link helenaFunction Function
highlight default link helenaOperator Operator
highlight default link helenaConstant Constant
highlight default link helenaProperty Structure
highlight default link helenaClause Statement
highlight default link helenaTemporal Operator
highlight default link helenaName Function
highlight default link helenaTuple Delimiter
highlight default link helenaNumber Number
highlight default link helenaString String
highlight default link helenaDirective PreProc
highlight default link helenaTodo Todo
highlight default link helenaComment Comment

let b:current_syntax = 'helena'
