/* A model of runtime/sched/deque.c for Spin: one owner that pushes and pops, and two thieves that
 * steal open offers, or raid. Every offer must have one taker, and none may get lost.
 *
 * The owner's stores go through a buffer, first in, first out, as on x86-64: other threads see them
 * late, unless a fence, an exchange or a membarrier of any thread empties it. Thieves write only by
 * exchanges, so they need no buffer. The owner's decisions of how much to open, which are guesses,
 * are nondeterministic here.
 *
 * PUSHES, OPERATIONS: the owner's. TRIES: each thief's. WITHOUT_MEMBARRIER and WITHOUT_FENCE remove
 * one of the two fences. Then there must be an error, or the model proves nothing. */
#define SLOTS 8
#define BUFFER 4
#define BOTTOM 0
#define OPEN 1
#define SLOT 2 /* and so on, one for each */

/* The state that thieves see. */
byte bottom = 0, open = 0, top = 0, raiders = 0, slot[SLOTS];
byte takers[PUSHES + 1]; /* number of takers of each offer; they count from 1 */

/* The stores that only the owner sees so far, and the order in which the others will see them. */
byte own_bottom = 0, own_open = 0, own_slot[SLOTS];
byte where[BUFFER], what[BUFFER], stores = 0;

byte pushed = 0;
bool owner_ended = false;
byte thieves_ended = 0;

inline drain_one() {
    if
    :: where[0] == BOTTOM -> bottom = what[0]
    :: where[0] == OPEN -> open = what[0]
    :: else -> slot[where[0] - SLOT] = what[0]
    fi;
    where[0] = where[1]; what[0] = what[1];
    where[1] = where[2]; what[1] = what[2];
    where[2] = where[3]; what[2] = what[3];
    where[3] = 0; what[3] = 0;
    stores = stores - 1
}
inline fence() { atomic { do :: stores > 0 -> drain_one() :: else -> break od } }
inline store(place, value) {
    atomic {
        if :: stores == BUFFER -> drain_one() :: else fi;
        where[stores] = place; what[stores] = value;
        stores = stores + 1
    }
}
inline take(offer) { takers[offer] = takers[offer] + 1; assert(offer != 0 && takers[offer] == 1) }

active proctype buffer() {
    end: do
    :: atomic { stores > 0 -> drain_one() }
    :: owner_ended && stores == 0 -> break
    od
}

inline open_some(from, to, all) {
    o = (all -> to : from + (to - from) / 2);
    if :: o > own_open -> own_open = o; store(OPEN, o) :: else fi
}
inline push() {
    pushed++;
    t = top; b = own_bottom;
    own_slot[b] = pushed; store(SLOT + b, pushed);
    own_bottom = b + 1; store(BOTTOM, b + 1);
    if
    :: open_some(t, b + 1, true)
    :: t >= own_open -> open_some(t, b + 1, false)
    :: t < own_open
    fi
}
inline share() {
    t = top;
    if
    :: t >= own_open && t < b -> open_some(t, b, false)
    :: t >= own_open && t < b -> open_some(t, b, true)
    :: !(t >= own_open && t < b)
    fi
}
inline win_last() {
    atomic { fence(); won = (top == t); if :: won -> top = t + 1 :: else fi };
    if :: won -> take(own_slot[b]) :: else fi;
    own_bottom = b + 1; store(BOTTOM, b + 1)
}
inline pop() {
    b = own_bottom; t = top;
    if
    :: b <= t
    :: else ->
        b--;
        own_bottom = b; old_open = own_open; store(BOTTOM, b);
        if
        :: b < old_open ->
            own_open = b; store(OPEN, b);
#ifndef WITHOUT_FENCE
            fence()
#endif
        :: else
        fi;
        raided = (raiders != 0);
        t = top;
        if
        :: t > b -> own_bottom = b + 1; store(BOTTOM, b + 1)
        :: t == b && b >= old_open && !raided -> take(own_slot[b])
        :: t == b && (b < old_open || raided) -> win_last()
        :: t < b ->
            take(own_slot[b]);
            if :: t >= old_open -> share() :: else fi
        fi
    fi
}
active proctype owner() {
    byte operations = 0, t, b, o, old_open;
    bool raided, won;
    do
    :: operations < OPERATIONS && pushed < PUSHES -> operations++; push()
    :: operations < OPERATIONS -> operations++; pop()
    :: operations == OPERATIONS -> break
    od;
    fence();
    owner_ended = true
}

inline exchange_top() {
    offer = slot[t];
    atomic { won = (top == t); if :: won -> top = t + 1 :: else fi };
    if :: won -> take(offer) :: else fi
}
inline steal_open() {
    t = top;
    o = open; b = bottom;
    if :: t < o && t < b -> exchange_top() :: else fi
}
inline raid() {
    raiders++;
    t = top;
#ifndef WITHOUT_MEMBARRIER
    fence(); /* the owner's */
#endif
    b = bottom;
    if :: t < b -> exchange_top() :: else fi;
    raiders--
}
proctype thief() {
    byte t, b, o, offer, tries = 0;
    bool won;
    do
    :: tries < TRIES && !owner_ended -> tries++; steal_open()
    :: tries < TRIES && !owner_ended -> tries++; raid()
    :: else -> break
    od;
    thieves_ended++
}

/* An offer that nobody took is still there, and an offer that is there was taken by nobody. */
init {
    byte i;
    atomic { run thief(); run thief() }
    owner_ended && thieves_ended == 2;
    i = top;
    do
    :: i < own_bottom -> take(own_slot[i]); i++
    :: else -> break
    od;
    for (i : 1 .. pushed) {
        assert(takers[i] == 1)
    }
}
