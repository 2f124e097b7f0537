------------------------------ MODULE ExceptPaths ------------------------------
(* EXCEPT with mixed paths, several clauses that see each other, and @.           *)
EXTENDS Integers, Sequences
VARIABLE db
Start == [users |-> [u \in {"ann", "bob"} |-> [age |-> 1, tags |-> <<0, 0>>]],
          grid  |-> [i, j \in 0..1 |-> i + j],
          seen  |-> {},
          log   |-> << >>]
Init == db = Start
Birthday(u) == db' = [db EXCEPT !.users[u].age = (@ % 2) + 1]
Tag(u, i) == db' = [db EXCEPT !.users[u].tags[i] = 1 - @, !.seen = @ \cup {i}]
Grid(i, j) == i # j /\ db' = [db EXCEPT !.grid[i, j] = 1 - (@ % 2), !.grid[<<j, i>>] = @ % 2]
Log == /\ Len(db.log) < 1
       /\ db' = [db EXCEPT !.log = Append(@, [db.users EXCEPT !["ann"].age = 0, !["ann"].age = @ + 5]["ann"].age)]
Clear == db' = [Start EXCEPT !["users"] = db.users, !["users"]["ann"].age = 1]
Unknown == db' = [db EXCEPT !.users["ann"].tags[2] = 1 - @, !.users["bob"]["tags"][1] = 0]
Next == \/ \E u \in {"ann", "bob"} : Birthday(u) \/ \E i \in 1..2 : Tag(u, i)
        \/ \E i, j \in 0..1 : Grid(i, j)
        \/ Log \/ Clear \/ Unknown
Few == Len(db.log) = 0 => db.grid[0, 0] <= 1
Inv == /\ db.log \in {<<>>, <<5>>}
       /\ \A u \in DOMAIN db.users : db["users"][u].age \in 1..3
ASSUME [[a |-> 1, b |-> 2] EXCEPT !.a = 10, !.b = @ + 1, !.a = @ + 1] = [a |-> 11, b |-> 3]
ASSUME [<<1, <<2, 3>>>> EXCEPT ![2][1] = @ * 10] = <<1, <<20, 3>>>>
=================================================================================
