/** An application of a user. Its packages differ from the packages of the container, so a thread dump shows the code of the application. */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
