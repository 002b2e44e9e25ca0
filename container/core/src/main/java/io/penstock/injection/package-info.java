/**
 * Injects resources into an application's servlets, filters and listeners ({@code @Resource} and similar annotations), and calls their life
 * cycle methods ({@code @PostConstruct}, {@code @PreDestroy}). Annotations are recognised by their names.
 */
@NullMarked
package io.penstock.injection;

import org.jspecify.annotations.NullMarked;
