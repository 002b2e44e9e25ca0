/**
 * What else servers are compared by than users: idle connections, slow clients, overload, start and files. A scenario
 * measures one server at a time and names its columns; how rounds, tables and files are made is the same for all.
 */
@NullMarked
package io.penstock.loadtest.compare.scenarios;

import org.jspecify.annotations.NullMarked;
