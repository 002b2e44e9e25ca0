/**
 * The environment that an application declares (entries, references to resources, data sources), and the interface to the code that
 * resolves the names. Without the library {@code penstock-naming}, only entries are resolved; the library adds JNDI and pools.
 */
@NullMarked
package io.penstock.environment;

import org.jspecify.annotations.NullMarked;
