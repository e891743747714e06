/* Priorities, set and read. */
byte x,y;
active proctype A() priority 3 { y==1; x=1; x=2; set_priority(_pid,1); x=3; x=4 }
active proctype B() priority 2 { y=1; y=2; y=3; x=get_priority(0); y = _priority }
active proctype C() { x=5; _priority = 4; x=6 }
