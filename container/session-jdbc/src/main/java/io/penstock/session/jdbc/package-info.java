/** Sessions in the tables of a database that several servers share. */
@NullMarked
package io.penstock.session.jdbc;

import org.jspecify.annotations.NullMarked;
