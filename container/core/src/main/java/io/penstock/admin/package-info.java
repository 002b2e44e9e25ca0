/**
 * The pages for operators: flow board (a live view of the server), health, metrics, dump. The pages get all data about the server through
 * the interface {@link io.penstock.admin.Watched}.
 */
@NullMarked
package io.penstock.admin;

import org.jspecify.annotations.NullMarked;
