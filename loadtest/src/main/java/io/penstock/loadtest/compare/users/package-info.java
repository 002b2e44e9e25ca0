/** Requests per second and connect errors by the number of users: the experiment of the article's Figures 2 and 3. */
@NullMarked
package io.penstock.loadtest.compare.users;

import org.jspecify.annotations.NullMarked;
