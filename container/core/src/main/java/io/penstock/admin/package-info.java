/** What operators are shown of a server: the flow board, health, metrics, a dump. It knows the server by one interface to read. */
@NullMarked
package io.penstock.admin;

import org.jspecify.annotations.NullMarked;
