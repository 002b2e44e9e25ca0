/**
 * The pages for operators: flow board, health, metrics, dump. They read the server through the interface {@link io.penstock.admin.Watched}.
 */
@NullMarked
package io.penstock.admin;

import org.jspecify.annotations.NullMarked;
