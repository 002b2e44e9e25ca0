/**
 * Translates a configuration of Tomcat: {@code penstock migrate CATALINA_BASE}. The table {@code tomcat.table} says what becomes of each
 * element and attribute. The server itself does not use this package.
 */
@NullMarked
package io.penstock.migrate;

import org.jspecify.annotations.NullMarked;
