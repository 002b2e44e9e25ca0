/**
 * Injects resources into an application's servlets, filters and listeners ({@code @Resource} and similar annotations), and calls their life
 * cycle methods ({@code @PostConstruct}, {@code @PreDestroy}). Annotations are recognised by their names, so an application can have its
 * own copies of the annotation classes.
 */
@NullMarked
package io.penstock.injection;

import org.jspecify.annotations.NullMarked;
