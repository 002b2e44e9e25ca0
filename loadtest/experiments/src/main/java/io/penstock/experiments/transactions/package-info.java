/**
 * Transactions of several calls each to a slow third party. Measures how many a fixed number of threads completes in a minute:
 * with a thread for every call that waits, and with one selector thread for all of them.
 */
@NullMarked
package io.penstock.experiments.transactions;

import org.jspecify.annotations.NullMarked;
