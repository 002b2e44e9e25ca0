/**
 * The environment that an application declares: entries, references to resources, and data sources. {@link EnvironmentProvider} is the
 * interface to the code that finds the objects of these names. The core itself provides only entries. The library {@code penstock-naming}
 * adds JNDI and connection pools.
 */
@NullMarked
package io.penstock.environment;

import org.jspecify.annotations.NullMarked;
