/**
 * Transactions of several calls each to a slow third party: how many a minute a fixed number of threads brings to their
 * end, with a thread for every call that waits, and with one selector thread for all of them.
 */
@NullMarked
package io.penstock.experiments.transactions;

import org.jspecify.annotations.NullMarked;
