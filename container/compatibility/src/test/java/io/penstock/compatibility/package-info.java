/** Tests with third-party software. Each test builds a small web application. The application is deployed, redeployed, and undeployed. */
@NullMarked
package io.penstock.compatibility;

import org.jspecify.annotations.NullMarked;
