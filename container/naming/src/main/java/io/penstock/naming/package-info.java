/**
 * Names for applications: what {@code java:} look-ups find, data sources with their pools, and the one place of the JVM where
 * {@code InitialContext} asks.
 */
@NullMarked
package io.penstock.naming;

import org.jspecify.annotations.NullMarked;
