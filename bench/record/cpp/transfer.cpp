// The calls of the contestant omnilink in C++: what contestants/omnilink.rs does in Rust.
#include <omnilink.hpp>

static const omnilink::Site transfer("Transfer", {"from", "to", "amount"});

extern "C" void bench_record_cpp_transfers(std::uint64_t thread, std::uint64_t calls) {
    for (std::uint64_t call = 0; call < calls; ++call) {
        omnilink::Op op(transfer);
        op.arg(0, thread);
        op.arg(1, call);
        op.arg(2, call * 3);
        op.end();
    }
}
