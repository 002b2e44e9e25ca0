/**
 * Fills what an application's servlets, filters and listeners ask for by {@code @Resource} and its like, and calls what is to be
 * called after that and before their end. Annotations are matched by name.
 */
@NullMarked
package io.penstock.injection;

import org.jspecify.annotations.NullMarked;
