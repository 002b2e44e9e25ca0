/** An application of a user. Its packages are not those of the container, so a dump shows where its threads are. */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
