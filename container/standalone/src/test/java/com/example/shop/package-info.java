/** Somebody's application: where its threads are is told by names that are not the container's. */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
