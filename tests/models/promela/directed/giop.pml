/* Requests and replies over one connection, as the General Inter-ORB Protocol has them: users ask by way of a
 * client, which talks to a server. The server may close a connection that it finds idle, by a message. A request
 * that is under way by then is lost, which the client does not notice, and its user waits for ever. */

#ifndef USERS
#define USERS 2
#endif

mtype = { request, reply, close };

chan to_orb = [USERS] of { mtype, byte };
chan to_user[USERS] = [1] of { mtype };
chan to_server = [USERS] of { mtype, byte };
chan to_client = [USERS] of { mtype, byte };

bool is_waiting[USERS];

proctype User(byte me) {
    do
    :: is_waiting[me] = true;
       to_orb!request(me);
       to_user[me]?reply;
       is_waiting[me] = false
    od
}

active proctype Client() {
    byte user;
    bool is_connected = true;

end:
    do
    :: to_orb?request(user) ->
        if
        :: is_connected -> to_server!request(user)
        :: else -> is_connected = true; to_server!request(user)
        fi
    :: to_client?reply(user) -> to_user[user]!reply
    :: to_client?close(user) -> is_connected = false
    od
}

active proctype Server() {
    byte user;

    do
    :: to_server?request(user) -> to_client!reply(user)
    :: empty(to_server) -> to_client!close(0); break
    od
}

init {
    byte i;

    atomic {
        for (i : 0 .. USERS - 1) {
            run User(i)
        }
    }
}

ltl response { [] (is_waiting[0] -> <> !is_waiting[0]) }
