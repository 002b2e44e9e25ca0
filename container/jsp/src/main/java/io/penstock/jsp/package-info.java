/** JSP pages and JSTL as an optional part of the container, on the Jasper engine. */
@NullMarked
package io.penstock.jsp;

import org.jspecify.annotations.NullMarked;
