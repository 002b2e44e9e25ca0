/** JSP pages and JSTL, as an optional part of the container. The pages run on the JSP engine Jasper. */
@NullMarked
package io.penstock.jsp;

import org.jspecify.annotations.NullMarked;
