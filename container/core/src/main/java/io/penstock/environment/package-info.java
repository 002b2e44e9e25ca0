/**
 * What an application declares of its environment (entries, references to resources, data sources), and the seam to what resolves
 * the names: entries alone without anything else, JNDI and pools with the optional part for naming.
 */
@NullMarked
package io.penstock.environment;

import org.jspecify.annotations.NullMarked;
