/* Of a receive, constants and `eval` are compared, and variables stand for anything. */
chan c = [2] of { byte, byte };
byte wanted = 7, any;
active proctype P() {
  byte a, b;
  if
  :: c!1,7
  :: c!1,8
  fi;
  c?a,b
}
trace { c?1,eval(wanted) }
