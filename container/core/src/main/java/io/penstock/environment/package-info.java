/**
 * The declarations of an application about its environment (entries, references to resources, data sources), and the interface to the code
 * that resolves the names. Without the library {@code penstock-naming} only entries are resolved; with it JNDI and pools are available.
 */
@NullMarked
package io.penstock.environment;

import org.jspecify.annotations.NullMarked;
