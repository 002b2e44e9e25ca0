/**
 * The comparisons other than that of users: idle connections, slow clients, overload, start and files. A scenario measures one
 * server at a time and names its columns. Rounds, tables and files are made in the same way for all.
 */
@NullMarked
package io.penstock.loadtest.compare.scenarios;

import org.jspecify.annotations.NullMarked;
