/*
 * OmniLink for C++17: records which actions of a specification a program performs, with which values, inside which
 * timeboxes. Header-only above the C interface in omnilink.h, which is all that has to be linked.
 *
 *   static const omnilink::Site push("Push", {"elem"});   // once per place
 *
 *   omnilink::Op op(push);                                // the timebox starts
 *   op.set("elem", elem);
 *   stack.push(elem);
 *   op.end();                                             // the timebox ends
 *
 * | header              | what it is for                                                    |
 * | ------------------- | ----------------------------------------------------------------- |
 * | omnilink/value.hpp  | how C++ values become TLA+ values                                 |
 * | omnilink/dynamic.hpp| values of any type                                                |
 * | omnilink/record.hpp | OMNILINK_RECORD and OMNILINK_ENUM, for types of your own          |
 * | omnilink/op.hpp     | places, and calls that are being recorded                         |
 * | omnilink/session.hpp| the recorder, and what threads record about themselves            |
 * | omnilink/random.hpp | random choices that are the same in Rust                          |
 * | omnilink/fuzz.hpp   | the fuzz loop                                                     |
 * | omnilink/perform.hpp| actions as types, for fuzzers that are generated                  |
 *
 * Errors that are detected at run time, such as an unknown parameter name, throw
 * std::invalid_argument.
 */
#ifndef OMNILINK_HPP
#define OMNILINK_HPP

#include "omnilink/dynamic.hpp"
#include "omnilink/fuzz.hpp"
#include "omnilink/op.hpp"
#include "omnilink/perform.hpp"
#include "omnilink/random.hpp"
#include "omnilink/record.hpp"
#include "omnilink/session.hpp"
#include "omnilink/value.hpp"

#endif
