# Functions with a race, as people write them: an increment that is a load and a store.

        .data
        .balign 4
counted:
        .long 0

        .text
# With type and size, without unwind information.
        .globl  typed_increment
        .type   typed_increment, @function
typed_increment:
        movl    counted(%rip), %eax
        incl    %eax
        movl    %eax, counted(%rip)
        ret
        .size   typed_increment, . - typed_increment

# Data between functions, read by the function after it: rewriting it would change what is counted.
one:    .long   1
        .byte   0x8b, 0x07, 0x8b, 0x07, 0x8b, 0x07

# Only a label.
        .globl  untyped_increment
untyped_increment:
        movl    counted(%rip), %eax
        addl    one(%rip), %eax
        call    keep
        movl    %eax, counted(%rip)
        cmpl    $0, %eax
        ret

# A local function that returns flags and is only called.
keep:
        testl   %eax, %eax
        ret

# A label behind a label, a jump back, and a short instruction that is jumped to.
        .globl  looping_increment
        .type   looping_increment, @function
looping_increment:
        movl    $3, %ecx
        lea     counted(%rip), %rdx
again:
        decl    %ecx
        jz      last
        jmp     again
last:
        movl    (%rdx), %eax
        incl    %eax
        movl    %eax, (%rdx)
        ret

# Jumps to an address that it computes, among its own instructions: 8 bytes each.
        .globl  computing_increment
        .type   computing_increment, @function
computing_increment:
        movl    counted(%rip), %eax
        lea     steps(%rip), %rdx
        movl    %eax, %ecx
        andl    $1, %ecx
        lea     (%rdx,%rcx,8), %rdx
        lea     counted(%rip), %rcx
        jmp     *%rdx
        .balign 8
steps:
        incl    %eax
        movl    %eax, (%rcx)
        ret
        .balign 8
        incl    %eax
        movl    %eax, (%rcx)
        ret
        .size   computing_increment, . - computing_increment

        .globl  assembler_counted
assembler_counted:
        movl    counted(%rip), %eax
        ret

        .section .note.GNU-stack,"",@progbits
