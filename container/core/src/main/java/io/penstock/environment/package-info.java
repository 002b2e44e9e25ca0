/**
 * The environment that an application declares: entries, references to resources, and data sources. An {@link EnvironmentProvider} finds
 * the declared objects by their names. The core itself provides only entries. The library {@code penstock-naming} adds JNDI and connection
 * pools.
 */
@NullMarked
package io.penstock.environment;

import org.jspecify.annotations.NullMarked;
