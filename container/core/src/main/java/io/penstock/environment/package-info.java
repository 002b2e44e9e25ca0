/**
 * The environment that an application declares (entries, references to resources, data sources), and the interface to the code that
 * resolves the names. The core resolves only entries. The library {@code penstock-naming} adds JNDI and pools.
 */
@NullMarked
package io.penstock.environment;

import org.jspecify.annotations.NullMarked;
