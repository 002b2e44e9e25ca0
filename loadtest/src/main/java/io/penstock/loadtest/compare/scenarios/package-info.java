/**
 * The scenarios of the command {@code compare}: idle connections, slow clients, overload, start, files and others. The comparison of users
 * is in another package. A scenario measures one server at a time, and defines the columns of its table. Rounds, tables and result files
 * are the same for all scenarios.
 */
@NullMarked
package io.penstock.loadtest.compare.scenarios;

import org.jspecify.annotations.NullMarked;
