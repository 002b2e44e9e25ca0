/** The pages of {@code docs/results} into which experiments write their results. */
@NullMarked
package io.penstock.experiments.pages;

import org.jspecify.annotations.NullMarked;
