/**
 * Measures requests per second and connect errors for different numbers of users. This is the experiment of Figures 2 and 3 in the article
 * on the reactor.
 */
@NullMarked
package io.penstock.loadtest.compare.users;

import org.jspecify.annotations.NullMarked;
