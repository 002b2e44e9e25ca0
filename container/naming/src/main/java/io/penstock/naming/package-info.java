/**
 * JNDI names for applications: the objects of {@code java:} names, data sources with connection pools, and the JVM-wide builder that {@code
 * InitialContext} uses.
 */
@NullMarked
package io.penstock.naming;

import org.jspecify.annotations.NullMarked;
