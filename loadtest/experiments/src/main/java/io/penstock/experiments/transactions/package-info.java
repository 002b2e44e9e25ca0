/**
 * Compares two kinds of client of a slow third party. A transaction makes several calls to this third party. The experiment measures how
 * many transactions a fixed number of threads completes in a minute. In one kind of client, a thread waits for each call; in the other
 * kind, one selector thread waits for all calls.
 */
@NullMarked
package io.penstock.experiments.transactions;

import org.jspecify.annotations.NullMarked;
