/** Classes of the applications that the tests deploy. */
package io.penstock.websocket.application;
