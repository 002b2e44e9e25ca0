/**
 * A sample application of a user. The name of this package does not begin with {@code io.penstock}, so thread dumps show its classes as
 * code of an application.
 */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
