/* A model of the kept task of runtime/sched/deque.h for Spin: one owner that keeps tasks, takes
 * them back, and keeps a taken task again; two raiders. Every task must have one taker, and none
 * may get lost.
 *
 * The owner's stores go through a buffer, first in, first out, as on x86-64: raiders see them late,
 * unless an exchange or a membarrier of any thread empties it. The owner reads its own stores from
 * there.
 *
 * TASKS, OPERATIONS: the owner's. TRIES: each raider's. WITHOUT_MEMBARRIER removes the raiders'
 * fence, TASK_FIRST lets them read the number last. Then there must be an error, or the model
 * proves nothing. */
#define BUFFER 4
#define TASK 0
#define NUMBER 1

byte task = 0, number = 0, raiders = 0; /* the state that raiders see */
byte takers[TASKS + 1];                 /* number of takers of each task; they count from 1 */

/* The state that the owner sees, and the order in which the others will see it. */
byte own_task = 0, last_number = 0;
byte where[BUFFER], what[BUFFER], stores = 0;

byte begun = 0;
bool owner_ended = false;
byte raiders_ended = 0;

inline drain_one() {
    if
    :: where[0] == TASK -> task = what[0]
    :: else -> number = what[0]
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
inline takes(which) { takers[which] = takers[which] + 1; assert(which != 0 && takers[which] == 1) }

active proctype buffer() {
    end: do
    :: atomic { stores > 0 -> drain_one() }
    :: owner_ended && stores == 0 -> break
    od
}

inline put(which) {
    last_number++;
    store(NUMBER, last_number);
    own_task = which; store(TASK, which)
}
/* The newest of the owner's own stores that is still in the buffer, or the value that all see. */
inline load_number() {
    atomic {
        if
        :: stores > 3 && where[3] == NUMBER -> seen = what[3]
        :: stores > 2 && where[2] == NUMBER && !(stores > 3 && where[3] == NUMBER) -> seen = what[2]
        :: stores > 1 && where[1] == NUMBER && !(stores > 2 && where[2] == NUMBER) &&
           !(stores > 3 && where[3] == NUMBER) -> seen = what[1]
        :: stores > 0 && where[0] == NUMBER && !(stores > 1 && where[1] == NUMBER) &&
           !(stores > 2 && where[2] == NUMBER) && !(stores > 3 && where[3] == NUMBER) ->
           seen = what[0]
        :: else -> seen = number
        fi
    }
}
/* Stores the task that the owner took in mine, or 0. */
inline take_back() {
    mine = own_task;
    if
    :: mine == 0
    :: else ->
        own_task = 0; store(TASK, 0);
        raided = (raiders != 0);
        if
        :: !raided -> load_number(); won = (seen == last_number)
        :: else ->
            atomic {
                fence();
                won = (number == last_number);
                if :: won -> number = 0 :: else fi
            }
        fi;
        if :: won :: else -> mine = 0 fi
    fi
}
active proctype owner() {
    byte operations = 0, mine, seen;
    bool raided, won;
    do
    :: operations < OPERATIONS && begun < TASKS && own_task == 0 ->
        operations++; begun++; put(begun)
    :: operations < OPERATIONS ->
        operations++; take_back();
        if :: mine != 0 -> takes(mine) :: else fi
    :: operations < OPERATIONS ->
        operations++; take_back();
        if :: mine != 0 -> put(mine) :: else fi
    :: operations == OPERATIONS -> break
    od;
    fence();
    owner_ended = true
}

inline raid() {
    raiders++;
#ifndef WITHOUT_MEMBARRIER
    fence(); /* the owner's */
#endif
#ifdef TASK_FIRST
    which = task; mark = number;
#else
    mark = number; which = task;
#endif
    if
    :: mark != 0 && which != 0 ->
        atomic { won = (number == mark); if :: won -> number = 0 :: else fi };
        if :: won -> takes(which) :: else fi
    :: else
    fi;
    raiders--
}
proctype raider() {
    byte which, mark, tries = 0;
    bool won;
    do
    :: tries < TRIES && !owner_ended -> tries++; raid()
    :: else -> break
    od;
    raiders_ended++
}

/* A task that nobody took is still there, and a task that is there was taken by nobody. */
init {
    byte i;
    atomic { run raider(); run raider() }
    owner_ended && raiders_ended == 2;
    if
    :: own_task != 0 && number == last_number -> takes(own_task)
    :: else
    fi;
    for (i : 1 .. begun) {
        assert(takers[i] == 1)
    }
}
