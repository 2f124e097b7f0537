------------------------------ MODULE Allocator ------------------------------
(* Clients ask for sets of resources, get some of what they want, give back.   *)
EXTENDS FiniteSets
CONSTANTS Clients, Resources
ASSUME IsFiniteSet(Resources)
VARIABLES unsat, alloc
TypeInvariant ==
	/\ unsat \in [Clients -> SUBSET Resources]
	/\ alloc \in [Clients -> SUBSET Resources]
available == Resources \ (UNION {alloc[c] : c \in Clients})
Init ==
	/\ unsat = [c \in Clients |-> {}]
	/\ alloc = [c \in Clients |-> {}]
Request(c, S) ==
	/\ unsat[c] = {} /\ alloc[c] = {}
	/\ S # {} /\ unsat' = [unsat EXCEPT ![c] = S]
	/\ UNCHANGED alloc
Allocate(c, S) ==
	/\ S # {} /\ S \subseteq available \cap unsat[c]
	/\ alloc' = [alloc EXCEPT ![c] = @ \cup S]
	/\ unsat' = [unsat EXCEPT ![c] = @ \ S]
Return(c, S) ==
	/\ S # {} /\ S \subseteq alloc[c]
	/\ alloc' = [alloc EXCEPT ![c] = @ \ S]
	/\ UNCHANGED unsat
Next == \E c \in Clients, S \in SUBSET Resources :
	\/ Request(c, S)
	\/ Allocate(c, S)
	\/ Return(c, S)
ResourceMutex == \A c1, c2 \in Clients : c1 # c2 => alloc[c1] \intersect alloc[c2] = {}
===============================================================================
